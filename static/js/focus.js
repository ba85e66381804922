// Faults take the focus when a page opens with them, so that whoever hears the
// page hears them first.
export function focusFault(root) {
  root.querySelector("[data-focus]")?.focus();
}
