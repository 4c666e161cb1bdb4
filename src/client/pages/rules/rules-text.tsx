import { contactAnchor } from '../../../shared/routes.ts';
import { CommentText } from '../../conversation/text/comment-text.tsx';
import { entryState } from '../../router/entry-state.ts';
import { showFragment } from '../../router/navigation.tsx';
import { Contact } from '../../ui/contact.tsx';

/** Scrolls to the heading when a link within the site leads to it. */
function showWhenFollowed(heading: HTMLElement | null): void {
  if (heading && entryState().isFragmentPending) showFragment(heading);
}

/** The rules and the contact, either of which may be ''. */
export function RulesText({ rules, contact }: { rules: string; contact: string }) {
  return (
    <>
      <CommentText
        text={
          rules ||
          'Esta comunidad aún no ha escrito sus normas. Mientras tanto: trata a las demás personas como quieres que te traten.'
        }
      />
      {contact && (
        <h2 id={contactAnchor} tabIndex={-1} ref={showWhenFollowed}>
          Contacto
        </h2>
      )}
      {contact && (
        <p>
          <Contact contact={contact} />
        </p>
      )}
    </>
  );
}
