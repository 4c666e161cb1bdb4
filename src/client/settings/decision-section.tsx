import { decisionAnchor } from '../../shared/decision-texts.ts';
import { pageRoutes } from '../../shared/routes.ts';
import { useUserQuery } from '../api/user-query.ts';
import { useSeen } from '../conversation/reading/use-seen.ts';
import { OwnDecision } from '../own-decisions/own-decision.tsx';
import { listOwnDecisions } from '../own-decisions/own-decision-calls.ts';
import { Link } from '../router/navigation.tsx';
import { Loaded } from '../ui/loading/loaded.tsx';
import lists from '../ui/styles/list.module.css';
import { SettingsSection } from './settings-section.tsx';

/** Moderators' decisions about the account. Renders nothing for the many accounts without decisions. */
export function DecisionSection() {
  const decisions = useUserQuery(listOwnDecisions);
  const ids = decisions.data?.data.flatMap(({ id, appeal }) => [id, appeal?.answerId ?? '']);
  const newest = ids?.sort().at(-1);
  useSeen(newest ? { decisionId: newest } : undefined);
  if (decisions.data?.data.length === 0) return null;
  return (
    <SettingsSection
      id="decisiones"
      title="Decisiones sobre tu cuenta"
      intro="Lo que ha decidido el equipo de moderación, y por qué."
    >
      <Loaded query={decisions}>
        {({ data }) => (
          <ol className={`frame ${lists.list}`}>
            {data.map((decision) => (
              <li
                key={decision.id}
                id={decisionAnchor(decision.id)}
                tabIndex={-1}
                className={`row ${lists.item}`}
              >
                <OwnDecision decision={decision} />
              </li>
            ))}
          </ol>
        )}
      </Loaded>
      <p className="note">
        Lo que se oculta, se restringe o se deshace está, sin nombres ni textos, en el{' '}
        <Link href={pageRoutes.log}>registro de moderación</Link>.
      </p>
    </SettingsSection>
  );
}
