const editable = 'input, textarea, select, [contenteditable]';

/**
 * Whether a key was pressed as a shortcut of the page: once, alone, outside of fields, menus and dialogs. The shift key
 * counts for nothing, since some keyboards need it for the slash, as the Spanish one does.
 */
export function isPlainKey(event: KeyboardEvent): boolean {
  const { ctrlKey, metaKey, altKey, repeat, defaultPrevented, target } = event;
  if (ctrlKey || metaKey || altKey || repeat || defaultPrevented) return false;
  if (target instanceof Element && target.closest(editable)) return false;
  return !document.querySelector('[popover="auto"]:popover-open, dialog[open]');
}
