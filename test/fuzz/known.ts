/** Placeholders in generated texts for values that differ on each server, so that runs can be repeated. */
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

export function filled(text: string, values: Known): string {
  return text.replace(/«(\w+)»/g, (whole, name: string) =>
    name in values ? values[name as keyof Known] : whole,
  );
}
