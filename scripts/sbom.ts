import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

interface Component {
  'bom-ref': string;
  name: string;
  scope?: string;
}

interface CycloneDx {
  serialNumber: string;
  metadata: { timestamp: string; component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

/**
 * Lists the packages of a release, including those in the client's scripts and without Vite, which is
 * needed for building only.
 * @param tree a prepared checkout
 * @param madeAt time of the commit, so that the same commit gives the same list
 */
export function makeSbom(tree: string, madeAt: Date): CycloneDx {
  // --omit=dev would leave out packages that both the server and a tool import.
  const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--loglevel=error'];
  const options = { cwd: tree, encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
  const sbom = JSON.parse(execFileSync('npm', args, options)) as CycloneDx;

  const manifest = JSON.parse(readFileSync(path.join(tree, 'package.json'), 'utf8'));
  const tools = Object.keys(manifest.devDependencies);
  const root = sbom.metadata.component['bom-ref'];
  const isTool = (ref: string) => tools.some((name) => ref.startsWith(`${name}@`));
  const edges = new Map(
    sbom.dependencies.map(({ ref, dependsOn }) => [
      ref,
      ref === root ? dependsOn.filter((to) => !isTool(to)) : dependsOn,
    ]),
  );
  const ofRelease = new Set<string>();
  // Leave out programs for other kinds of machines.
  const others = sbom.components
    .filter(({ scope }) => scope === 'optional')
    .filter(({ name }) => !existsSync(path.join(tree, 'node_modules', name)))
    .map((component) => component['bom-ref']);
  const collect = (ref: string) => {
    if (ofRelease.has(ref) || others.includes(ref) || ref.startsWith('vite@')) return;
    ofRelease.add(ref);
    for (const next of edges.get(ref) ?? []) collect(next);
  };
  collect(root);
  const components = sbom.components.filter((component) => ofRelease.has(component['bom-ref']));
  const dependencies = sbom.dependencies
    .filter(({ ref }) => ofRelease.has(ref))
    .map(({ ref }) => ({
      ref,
      dependsOn: (edges.get(ref) ?? []).filter((to) => ofRelease.has(to)),
    }));

  // npm takes the name from the folder and draws a serial number.
  const component = { ...sbom.metadata.component, name: 'tertulia' };
  const hash = createHash('sha256').update(JSON.stringify(components)).digest('hex');
  return {
    ...sbom,
    serialNumber: `urn:uuid:${hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, '$1-$2-8$3-8$4-$5')}`,
    metadata: { ...sbom.metadata, timestamp: madeAt.toISOString(), component },
    components,
    dependencies,
  };
}
