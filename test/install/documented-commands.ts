export interface DocumentedBlock {
  /** Headings above the commands from the second level on, or the title without any. */
  task: string;
  script: string;
}

/** @returns the blocks of a Markdown text that are marked as `sh`, in order */
export function documentedBlocks(markdown: string): DocumentedBlock[] {
  const title = /^# (.*)/m.exec(markdown)?.[1] ?? '';
  const headings: string[] = [];
  const blocks: DocumentedBlock[] = [];
  let lines: string[] | undefined;
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) {
      const task = headings.join(', ') || title;
      if (lines) blocks.push({ task, script: lines.join('\n') });
      lines = line === '```sh' ? [] : undefined;
    } else if (lines) lines.push(line);
    else {
      const [, marks, heading] = /^(#{2,3}) (.*)/.exec(line) ?? [];
      if (marks && heading) headings.splice(marks.length - 2, Number.POSITIVE_INFINITY, heading);
    }
  }
  return blocks;
}
