import { pageRoutes } from '../../../shared/routes.ts';
import { accountTexts } from '../account-texts.ts';
import notices from '../notice.module.css';

interface NeedsScriptProps {
  /** Heading of a page whose content, including its own heading, is hidden from guests. */
  title?: string | undefined;
}

/** The message of pages that do not work without JavaScript. */
export function NeedsScript({ title }: NeedsScriptProps) {
  return (
    <noscript>
      {title && <h1>{title}</h1>}
      <p className={notices.alert}>Esta página necesita JavaScript para funcionar.</p>
      {title && (
        <p className="links">
          <a href={pageRoutes.login}>{accountTexts.signIn}</a>
        </p>
      )}
    </noscript>
  );
}
