/** Stand in generated texts for what each started server calls otherwise, so that a run can be replayed. */
export const known = {
  token: '«token»',
  user: '«user»',
  email: '«email»',
  channel: '«channel»',
  comment: '«comment»',
  image: '«image»',
  upload: '«upload»',
} as const;

export type Known = Record<keyof typeof known, string>;

/** The text with what it names put in. */
export function filled(text: string, values: Known): string {
  return text.replace(/«(\w+)»/g, (whole, name: string) =>
    name in values ? values[name as keyof Known] : whole,
  );
}
