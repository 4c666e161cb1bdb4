import { pageRoutes } from '../../shared/routes.ts';
import { useUserQuery } from '../api/user-query.ts';
import lists from '../components/list.module.css';
import { Loaded } from '../components/loaded.tsx';
import { listOwnDecisions } from '../moderation/calls.ts';
import { OwnDecision } from '../moderation/own-decision.tsx';
import { ownTexts } from '../moderation/own-texts.ts';
import { Link } from '../router/navigation.tsx';
import { SettingsSection } from './settings-section.tsx';

/** The decisions of moderators about the account. Most accounts have none, and no such section. */
export function DecisionSection() {
  const decisions = useUserQuery(listOwnDecisions);
  if (decisions.data?.data.length === 0) return null;
  return (
    <SettingsSection id="decisiones" title={ownTexts.title} intro={ownTexts.intro}>
      <Loaded query={decisions}>
        {({ data }) => (
          <ol className={lists.list}>
            {data.map((decision) => (
              <li key={decision.id} className={lists.item}>
                <OwnDecision decision={decision} />
              </li>
            ))}
          </ol>
        )}
      </Loaded>
      <p className="note">
        {ownTexts.inLog}
        <Link href={pageRoutes.log}>{ownTexts.log}</Link>.
      </p>
    </SettingsSection>
  );
}
