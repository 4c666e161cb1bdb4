const editable = 'input, textarea, select, [contenteditable]';

/**
 * Whether a key was pressed as a shortcut of the page: once, without modifiers, outside of fields, menus and
 * dialogs. Shift is ignored, since some keyboard layouts, such as the Spanish one, need it for the slash.
 */
export function isPlainKey(event: KeyboardEvent): boolean {
  const { ctrlKey, metaKey, altKey, repeat, defaultPrevented, target } = event;
  if (ctrlKey || metaKey || altKey || repeat || defaultPrevented) return false;
  if (target instanceof Element && target.closest(editable)) return false;
  return !document.querySelector('[popover="auto"]:popover-open, dialog[open]');
}
