import { texts } from '../texts.ts';

/** Whom to ask: the community's sentence, or an address to write to. */
export function Contact({ contact }: { contact: string }) {
  if (!isEmail(contact)) return <bdi>{contact}</bdi>;
  return (
    <>
      {texts.writeTo} <a href={`mailto:${contact}`}>{contact}</a>.
    </>
  );
}

const isEmail = (text: string) => /^[^\s@]+@[^\s@]+$/.test(text);
