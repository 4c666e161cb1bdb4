/** A part of a text that both versions have, or only the former (`del`) or the later one (`ins`). */
export interface TextPart {
  kind: 'same' | 'del' | 'ins';
  text: string;
}

/** Words and spaces of a version that are compared one by one; of more, all are marked. */
const maxWords = 800;

/** The words in which two versions of a text differ. Takes time in proportion to their length. */
export function diffWords(before: string, after: string): TextPart[] {
  const [former, later] = [wordsOf(before), wordsOf(after)];
  let start = 0;
  while (start < former.length && former[start] === later[start]) start++;
  let [end, laterEnd] = [former.length, later.length];
  while (end > start && laterEnd > start && former[end - 1] === later[laterEnd - 1]) {
    end--;
    laterEnd--;
  }
  const parts: TextPart[] = [];
  const add = (kind: TextPart['kind'], text: string) => {
    const last = parts.at(-1);
    if (last?.kind === kind) last.text += text;
    else if (text) parts.push({ kind, text });
  };
  add('same', former.slice(0, start).join(''));
  const [removed, added] = [former.slice(start, end), later.slice(start, laterEnd)];
  if (removed.length > maxWords || added.length > maxWords) {
    add('del', removed.join(''));
    add('ins', added.join(''));
  } else {
    for (const [kind, text] of compare(removed, added)) add(kind, text);
  }
  add('same', former.slice(end).join(''));
  return parts;
}

/** The words, and the spaces between them. */
const wordsOf = (text: string): string[] => text.match(/\s+|\S+/g) ?? [];

/** The differences by the longest common subsequence. */
function compare(former: string[], later: string[]): [TextPart['kind'], string][] {
  const width = later.length + 1;
  const lengths = new Uint16Array((former.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = former.length - 1; i >= 0; i--) {
    for (let j = later.length - 1; j >= 0; j--) {
      const isSame = former[i] === later[j];
      lengths[i * width + j] = isSame ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const parts: [TextPart['kind'], string][] = [];
  let [i, j] = [0, 0];
  while (i < former.length || j < later.length) {
    const [old, now] = [former[i], later[j]];
    if (old !== undefined && old === now) {
      parts.push(['same', old]);
      i++;
      j++;
    } else if (old !== undefined && (now === undefined || at(i + 1, j) >= at(i, j + 1))) {
      parts.push(['del', old]);
      i++;
    } else {
      parts.push(['ins', now ?? '']);
      j++;
    }
  }
  return parts;
}
