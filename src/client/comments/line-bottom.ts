/** The styles that decide where the lines of a text break. */
const properties = [
  'boxSizing',
  'width',
  'paddingInline',
  'paddingBlock',
  'borderWidth',
  'borderStyle',
  'font',
  'letterSpacing',
  'wordSpacing',
  'tabSize',
  'direction',
] as const;

/** Distance in CSS pixels from the top of a field to the bottom of the line at `offset` of its text. */
export function lineBottom(field: HTMLTextAreaElement, offset: number): number {
  const copy = document.createElement('div');
  const style = getComputedStyle(field);
  for (const property of properties) copy.style[property] = style[property];
  Object.assign(copy.style, {
    position: 'absolute',
    visibility: 'hidden',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'break-word',
  });
  const mark = document.createElement('span');
  mark.textContent = '@';
  copy.append(field.value.slice(0, offset), mark);
  document.body.append(copy);
  const bottom = mark.offsetTop + mark.offsetHeight - field.scrollTop;
  copy.remove();
  return Math.max(0, Math.min(bottom, field.offsetHeight));
}
