import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

interface Component {
  'bom-ref': string;
}

interface Sbom {
  serialNumber?: string;
  metadata: { timestamp: string; component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

/**
 * Lists the packages of the server and those bundled into the client, of all architectures, without the ones that only
 * build and test. `npm sbom --omit=dev` would also leave out packages that the server and a test need, such as `pg`.
 * @returns CycloneDX; the same for the same lock file
 */
export function listComponents(tree: string, committedAtS: number): string {
  const command = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx'];
  const { serialNumber, ...sbom }: Sbom = JSON.parse(
    execFileSync('npm', command, { cwd: tree, encoding: 'utf8', maxBuffer: 2 ** 26 }),
  );
  const needs = new Map(sbom.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const root = sbom.metadata.component['bom-ref'];
  const manifest = JSON.parse(readFileSync(path.join(tree, 'package.json'), 'utf8'));
  const served = { ...manifest.dependencies, ...manifest.optionalDependencies };
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
