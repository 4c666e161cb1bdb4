import { byEngine } from '../../database/engine.ts';
import type { Database } from '../../database/tables.ts';
import { postgresSearch } from './postgres-search.ts';
import { sqliteSearch } from './sqlite-search.ts';
import type { SearchQueries } from './terms.ts';

export const queriesOf = (db: Database): SearchQueries =>
  byEngine(db, { sqlite: sqliteSearch, postgres: postgresSearch });
