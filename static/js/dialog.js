// A link with data-dialog="id" opens that dialog in place of following its address.
// With a modifier key it stays a link.
export function dialogLinks(root) {
  root.addEventListener("click", (event) => {
    const link = event.target.closest?.("[data-dialog]");
    if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const dialog = root.getElementById(link.dataset.dialog);
    if (!(dialog instanceof HTMLDialogElement)) return;
    event.preventDefault();
    dialog.showModal();
  });
}
