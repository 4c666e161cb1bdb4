import { readFileSync } from 'node:fs';
import path from 'node:path';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';

const texts = Type.Record(Type.String(), Type.String());

const Package = Type.Object({
  version: Type.String(),
  scripts: Type.Optional(texts),
  workspaces: Type.Optional(Type.Array(Type.String())),
  dependencies: Type.Optional(texts),
  optionalDependencies: Type.Optional(texts),
  devDependencies: Type.Optional(texts),
});

/** Reads the package.json of a folder, with its other fields. */
export function readPackage(folder: string): Static<typeof Package> {
  return Value.Parse(Package, JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')));
}
