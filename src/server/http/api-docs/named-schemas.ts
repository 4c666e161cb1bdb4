import * as accountSettings from '../../../shared/account-settings.ts';
import * as accounts from '../../../shared/accounts.ts';
import * as channels from '../../../shared/channels.ts';
import * as comments from '../../../shared/comments.ts';
import * as errors from '../../../shared/errors.ts';
import { fieldsOf } from '../../../shared/fields-of.ts';
import * as images from '../../../shared/images.ts';
import * as moderation from '../../../shared/moderation.ts';
import * as notificationSettings from '../../../shared/notification-settings.ts';
import * as notifications from '../../../shared/notifications.ts';
import * as passkeys from '../../../shared/passkeys.ts';
import * as pending from '../../../shared/pending.ts';
import * as people from '../../../shared/people.ts';
import * as search from '../../../shared/search.ts';
import * as siteSettings from '../../../shared/site-settings.ts';
import * as trash from '../../../shared/trash.ts';

const modules = [
  ...[accountSettings, accounts, channels, comments, errors, images, moderation],
  ...[notificationSettings, notifications, passkeys, pending, people, search, siteSettings, trash],
];

/** The schemas of objects and unions that the contract exports. */
const exported = modules
  .flatMap((module): [string, unknown][] => Object.entries(module))
  .filter(([, value]) => value instanceof Object && ('properties' in value || 'anyOf' in value));

/** Names by a schema's JSON, because TypeBox copies a schema that is optional elsewhere. */
const names = new Map(exported.map(([name, schema]) => [JSON.stringify(schema), name]));

/** The schemas that routes may refer to, by the names that the contract exports them with. */
export const namedSchemas = exported
  .filter(([name, schema]) => names.get(JSON.stringify(schema)) === name)
  .map(([name, schema]) => ({ $id: name, ...withReferencesInside(schema) }));

/** Replaces the named schemas in a schema, or in an object of schemas, by references. */
export function withReferences(value: unknown): unknown {
  if (!(value instanceof Object)) return value;
  const name = names.get(JSON.stringify(value));
  return name === undefined ? withReferencesInside(value) : { $ref: `${name}#` };
}

/** Leaves the schema itself in place, as where a reference is not allowed. */
export function withReferencesInside(value: unknown): object {
  if (Array.isArray(value)) return value.map(withReferences);
  // The routes' own `$id`s are replaced by the names.
  const parts = Object.entries(fieldsOf(value)).filter(([key]) => key !== '$id');
  return Object.fromEntries(parts.map(([key, part]) => [key, withReferences(part)]));
}
