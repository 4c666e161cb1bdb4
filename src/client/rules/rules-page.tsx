import { pages } from '../../shared/pages.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { CommentText } from '../comments/comment-text.tsx';
import { Contact } from '../components/contact.tsx';
import { Loaded } from '../components/loaded.tsx';
import layout from '../components/page.module.css';
import { PageTitle } from '../components/page-title.tsx';
import { Link } from '../router/navigation.tsx';
import styles from './rules-page.module.css';
import { rulesTexts } from './rules-texts.ts';
import { useRules } from './use-rules.ts';

/** The community's rules, whom to ask, and how long each thing is kept. */
export function RulesPage() {
  return (
    <div className={`${layout.page} ${styles.page}`}>
      <PageTitle>{pages.rules.title}</PageTitle>
      <Loaded query={useRules()}>
        {({ rules, contact }) => (
          <>
            <CommentText text={rules || rulesTexts.none} />
            {contact && <h2>{rulesTexts.contact}</h2>}
            {contact && (
              <p>
                <Contact contact={contact} />
              </p>
            )}
          </>
        )}
      </Loaded>
      <p>
        {rulesTexts.logLead}
        <Link href={pageRoutes.log}>{pages.log.title?.toLowerCase()}</Link>.
      </p>
      <h2 id="plazos">{rulesTexts.kept}</h2>
      <table aria-labelledby="plazos">
        <thead>
          <tr>
            <th scope="col">{rulesTexts.what}</th>
            <th scope="col">{rulesTexts.howLong}</th>
          </tr>
        </thead>
        <tbody>
          {rulesTexts.periods.map(([what, howLong]) => (
            <tr key={what}>
              <th scope="row">{what}</th>
              <td>{howLong}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
