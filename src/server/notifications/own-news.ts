import type { News } from '../../shared/people.ts';
import type { Database } from '../database/tables.ts';

/** Finds whether the account has pending posts or hidden comments. Pages ask for these only if it has some. */
export async function findOwnNews(
  db: Database,
  accountId: string,
  { reviewsFirstPosts }: { reviewsFirstPosts: boolean },
): Promise<Pick<News, 'hasPending' | 'hasHidden' | 'reviewsNext'>> {
  const { approved_at_ms, pending, hidden } = await db
    .selectFrom('accounts')
    .select(['approved_at_ms'])
    .select(({ selectFrom, lit }) => [
      selectFrom('pending_posts')
        .select(lit(1).as('one'))
        .where('account_id', '=', accountId)
        .limit(1)
        .as('pending'),
      selectFrom('decision_accounts as about')
        .innerJoin('decisions', 'decisions.id', 'about.decision_id')
        .leftJoin('decisions as later', 'later.undoes', 'decisions.id')
        .select(lit(1).as('one'))
        .where('about.account_id', '=', accountId)
        .where('decisions.action', '=', 'hide')
        .where('later.id', 'is', null)
        .limit(1)
        .as('hidden'),
    ])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  return {
    hasPending: pending !== null,
    hasHidden: hidden !== null,
    reviewsNext: reviewsFirstPosts && approved_at_ms === null,
  };
}
