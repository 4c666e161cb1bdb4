import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempDisposableSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { debianVersion } from '../build-name.ts';

/** Debian's names of architectures, by Node's. */
const architectures: Record<string, string> = { x64: 'amd64', arm64: 'arm64' };

interface Release {
  build: string;
  /** In the terms of `process.arch`. */
  architecture: string;
  committedAtS: number;
}

/**
 * Makes a package for Debian. Its program is in a folder of its own; postinst makes a release of it at the same place as
 * the archive's documented commands do.
 * @param assembled the release's folder, which is moved
 * @param target folder for the package
 * @returns the package's file name
 */
export function makeDeb(assembled: string, target: string, release: Release): string {
  const version = debianVersion(release.build);
  const architecture = architectures[release.architecture] ?? release.architecture;
  using work = mkdtempDisposableSync(path.join(tmpdir(), 'tertulia-deb-'));
  const folder = (name: string) => {
    mkdirSync(path.join(work.path, name), { recursive: true });
    return (file: string) => path.join(work.path, name, file);
  };

  const program = folder('opt/tertulia')('package');
  // `rename` fails between file systems: both folders are temporary ones.
  renameSync(assembled, program);
  symlinkSync('/opt/tertulia/current/bin/tertulia', folder('usr/bin')('tertulia'));
  for (const unit of ['tertulia.service', 'tertulia@.service'])
    cpSync(path.join(program, 'deploy', unit), folder('usr/lib/systemd/system')(unit));

  const control = folder('DEBIAN');
  const fields = readFileSync(path.join(import.meta.dirname, 'control'), 'utf8');
  writeFileSync(
    control('control'),
    fields.replace('VERSION', version).replace('ARCHITECTURE', architecture),
  );
  const scripts = ['preinst', 'postinst', 'prerm', 'postrm'];
  for (const script of scripts) cpSync(path.join(import.meta.dirname, script), control(script));
  // As the archive's modes, whatever the umask.
  execFileSync('chmod', ['-R', 'u=rwX,go=rX', work.path]);
  for (const script of scripts) chmodSync(control(script), 0o755);

  const name = `tertulia_${version}_${architecture}.deb`;
  // gzip, since xz takes minutes for a third less.
  const options = ['--root-owner-group', '-Zgzip', '-z9', '--build', work.path];
  execFileSync('dpkg-deb', [...options, path.join(target, name)], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, SOURCE_DATE_EPOCH: String(release.committedAtS) },
  });
  return name;
}
