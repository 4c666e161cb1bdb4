import { execFileSync } from 'node:child_process';
import Type from 'typebox';
import { Value } from 'typebox/value';
import { readPackage } from './read-package.ts';

const Component = Type.Object({ 'bom-ref': Type.String() });

const Sbom = Type.Object({
  serialNumber: Type.Optional(Type.String()),
  metadata: Type.Object({ timestamp: Type.String(), component: Component }),
  components: Type.Array(Component),
  dependencies: Type.Array(
    Type.Object({ ref: Type.String(), dependsOn: Type.Array(Type.String()) }),
  ),
});

/**
 * Lists the packages of the server and those bundled into the client, of all architectures, without the ones that only
 * build and test. `npm sbom --omit=dev` would also leave out packages that the server and a test need, such as `pg`.
 * @returns CycloneDX; the same for the same lock file
 */
export function listComponents(tree: string, committedAtS: number): string {
  const command = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx'];
  const listed = execFileSync('npm', command, { cwd: tree, encoding: 'utf8', maxBuffer: 2 ** 26 });
  const { serialNumber, ...sbom } = Value.Parse(Sbom, JSON.parse(listed));
  const needs = new Map(sbom.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const root = sbom.metadata.component['bom-ref'];
  const { dependencies: direct, optionalDependencies } = readPackage(tree);
  const served = { ...direct, ...optionalDependencies };
  const isBundled = (ref: string) => nameOf(ref) !== 'vite';

  const kept = new Set<string>();
  const keep = (ref: string): void => {
    if (kept.has(ref)) return;
    kept.add(ref);
    for (const needed of needs.get(ref) ?? []) keep(needed);
  };
  for (const ref of needs.get(root) ?? []) {
    if (nameOf(ref) === 'tertulia-client') needs.get(ref)?.filter(isBundled).forEach(keep);
    else if (served[nameOf(ref)]) keep(ref);
  }
  const components = sbom.components.filter((component) => kept.has(component['bom-ref']));
  const dependencies = sbom.dependencies
    .filter(({ ref }) => ref === root || kept.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => kept.has(one)) }));
  const timestamp = new Date(committedAtS * 1000).toISOString();
  const metadata = { ...sbom.metadata, timestamp };
  return `${JSON.stringify({ ...sbom, metadata, components, dependencies }, null, 2)}\n`;
}

const nameOf = (ref: string) => ref.slice(0, ref.lastIndexOf('@'));
