// A form is sent once: a second press while the first is under way does nothing.
// The mark is taken off when the page comes back from the browser's history.
export function sendOnce(root) {
  root.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.method === "dialog") return;
    if (form.dataset.sent) {
      event.preventDefault();
      return;
    }
    form.dataset.sent = "yes";
  });
  addEventListener("pageshow", () => {
    for (const form of root.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
  });
}
