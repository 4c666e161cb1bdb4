import { withQueries } from '../../api/with-queries.tsx';
import { useRules } from '../../moderation/site/use-rules.ts';
import { Loaded } from '../../ui/loading/loaded.tsx';
import { RulesText } from './rules-text.tsx';

/** The rules as they are now, after navigation within the site. */
export const FetchedRules = withQueries(() => (
  <Loaded query={useRules()}>
    {({ rules, contact }) => <RulesText rules={rules} contact={contact} />}
  </Loaded>
));
