// A button with data-copy="id" copies that element's text and says so for a while.
// It stays hidden where the browser gives no clipboard.
const shownFor = 2000;

export function copyButtons(root) {
  if (!navigator.clipboard) return;
  for (const button of root.querySelectorAll("[data-copy]")) {
    const label = button.textContent;
    let back;
    button.hidden = false;
    button.setAttribute("aria-live", "polite");
    button.addEventListener("click", async () => {
      const source = root.getElementById(button.dataset.copy);
      if (!source) return;
      try {
        await navigator.clipboard.writeText(source.textContent.trim());
      } catch {
        // Refused by the browser: select the text, so that the keyboard can copy it.
        getSelection().selectAllChildren(source);
        return;
      }
      button.textContent = button.dataset.copied;
      clearTimeout(back);
      back = setTimeout(() => { button.textContent = label; }, shownFor);
    });
  }
}
