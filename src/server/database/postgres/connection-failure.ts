import { databaseAddress } from '../../system/settings/database-url.ts';
import { isReadOnlyError, ReadOnlyDatabase } from '../errors.ts';

const unreachable =
  /^(ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EPIPE|no socket|no response|cut off)$/;
const untrusted = /CERT|SIGNED|LEAF_SIGNATURE/;

/**
 * Describes why a connection to PostgreSQL, or to a pool in front of it, failed.
 * @param connectionString only its host and port appear in the result
 * @returns a sentence for the operator: what failed and what to do
 */
export function connectionFailure(error: unknown, connectionString: string): string {
  const { host, address } = addressOf(connectionString);
  const { code, message } = codeOf(error);
  if (unreachable.test(code)) {
    const advice =
      code === 'no response'
        ? ' If a pool is there, it may have no connection left: it needs 12 for each process and 5 more.'
        : '';
    return `PostgreSQL does not respond at ${address} (${code}). Start it, or correct the host and the port in DATABASE_URL.${advice}`;
  }
  if (/^(ENOTFOUND|EAI_AGAIN)$/.test(code)) {
    return `The host ${host} in DATABASE_URL has no address (${code}). Correct its name, or look at the DNS of this machine.`;
  }
  // PgBouncer uses one code for all its refusals.
  if (/server_login_retry|server login has been failing/.test(message)) {
    return `The pool at ${address} does not reach its PostgreSQL: ${message}. Start that one, or look at the pool's log.`;
  }
  if (/statement pooling mode/.test(message)) {
    return `The pool at ${address} is in statement mode, and has to be in session mode (PgBouncer: pool_mode = session).`;
  }
  if (code === '28P01' || /authentication failed|password must be a/.test(message)) {
    return `PostgreSQL at ${address} refuses the user or the password in DATABASE_URL. Correct them; characters such as @ : / # % are written percent-encoded.`;
  }
  if (code === '28000') {
    return `PostgreSQL at ${address} lets this user or this machine not in: ${message}. Look at its pg_hba.conf and at DATABASE_URL.`;
  }
  if (code === '3D000' || /^no such database|^database ".*" does not exist/.test(message)) {
    return `PostgreSQL at ${address} does not have the database in DATABASE_URL. Create it (createdb), or correct the name.`;
  }
  if (/support SSL/.test(message)) {
    return `PostgreSQL at ${address} offers no TLS. Turn it on there (ssl = on), or remove sslmode from DATABASE_URL.`;
  }
  if (untrusted.test(code)) {
    return `The certificate of PostgreSQL at ${address} is not trusted (${code}). Correct the host in DATABASE_URL, or add sslrootcert=/path/ca.pem to it.`;
  }
  if (code === '53300') {
    return `PostgreSQL at ${address} has no connection left. Raise max_connections, or stop what takes them.`;
  }
  if (code === '57P03') {
    return `PostgreSQL at ${address} is starting or shutting down. Try again in a moment.`;
  }
  return `PostgreSQL at ${address} cannot be used: ${message}.`;
}

/**
 * Describes why PostgreSQL refused a statement, when the operator can fix the cause.
 * @returns a sentence; undefined for other errors
 */
export function describeRefusal(error: unknown): string | undefined {
  const { code, message } = codeOf(error);
  if (code === '42501') {
    return `The user in DATABASE_URL lacks a right: ${message}. Make it the owner of the database (alter database … owner to …).`;
  }
  return isReadOnlyError(error) ? new ReadOnlyDatabase(error).message : undefined;
}

/** The SQLSTATE, the system's error code or a description. If several addresses failed, that of the first. */
function codeOf(error: unknown): { code: string; message: string } {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  if (!(error instanceof Error)) return { code: '', message: String(error) };
  const { message } = error;
  const isMissingSocket = 'syscall' in error && error.syscall === 'connect';
  if ('code' in error) {
    return {
      code: error.code === 'ENOENT' && isMissingSocket ? 'no socket' : `${error.code}`,
      message,
    };
  }
  if (/timeout/.test(message)) return { code: 'no response', message };
  return { code: /^Connection terminated/.test(message) ? 'cut off' : '', message };
}

function addressOf(connectionString: string): { host: string; address: string } {
  const { host, port, isSocket } = databaseAddress(connectionString);
  return { host, address: isSocket ? `${host}/.s.PGSQL.${port}` : `${host}:${port}` };
}
