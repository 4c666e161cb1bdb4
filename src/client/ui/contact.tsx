/** The community's contact: a sentence or an e-mail address. */
export function Contact({ contact }: { contact: string }) {
  if (!isEmail(contact)) return <bdi>{contact}</bdi>;
  return (
    <span>
      Escribe a <a href={`mailto:${contact}`}>{contact}</a>.
    </span>
  );
}

const isEmail = (text: string) => /^[^\s@]+@[^\s@]+$/.test(text);
