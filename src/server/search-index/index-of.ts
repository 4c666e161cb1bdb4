import { byEngine } from '../database/engine.ts';
import type { Database } from '../database/tables.ts';
import type { Index } from './index-type.ts';
import { postgresIndex } from './postgres-index.ts';
import { sqliteIndex } from './sqlite-index.ts';

export const indexOf = (db: Database): Index =>
  byEngine(db, { sqlite: sqliteIndex, postgres: postgresIndex });
