// A form is sent once: a second press shortly after the first does nothing.
// The mark is taken off after a while, since an answer that is a download leaves the
// page standing, and when the page comes back from the history.
const heldFor = 4000;

export function sendOnce(root) {
  root.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.method === "dialog") return;
    if (form.dataset.sent) {
      event.preventDefault();
      return;
    }
    form.dataset.sent = "yes";
    setTimeout(() => { delete form.dataset.sent; }, heldFor);
  });
  addEventListener("pageshow", () => {
    for (const form of root.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
  });
}
