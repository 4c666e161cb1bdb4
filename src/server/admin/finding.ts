/** Something that was looked at. `advice` is for whoever has the time; `mend` is broken or will be. */
export interface Finding {
  state: 'ok' | 'advice' | 'mend';
  about: string;
  /** What is the case and, unless it is well, what to do. */
  says: string;
}

export const ok = (about: string, says: string): Finding => ({ state: 'ok', about, says });
export const advice = (about: string, says: string): Finding => ({ state: 'advice', about, says });
export const mend = (about: string, says: string): Finding => ({ state: 'mend', about, says });

/** For what is expected to work: what it throws is to be mended. */
export async function expectWell(about: string, look: () => Promise<Finding>): Promise<Finding> {
  try {
    return await look();
  } catch (error) {
    const causes = [];
    for (let cause = error; cause instanceof Error; cause = cause.cause) causes.push(cause.message);
    return mend(about, causes.filter((text) => text !== '').join(': ') || 'it fails');
  }
}
