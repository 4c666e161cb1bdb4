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

/** Debian's names of architectures, by Node's. */
const architectures: Record<string, string> = { x64: 'amd64', arm64: 'arm64' };

interface Release {
  /** Name of its folder in `/opt/tertulia/releases`. */
  name: string;
  build: string;
  /** In the terms of `process.arch`. */
  architecture: string;
  committedAtS: number;
}

/**
 * Makes a package for Debian that installs a release to the same places as the archive's documented commands do.
 * @param assembled the release's folder, which is moved
 * @param target folder for the package
 * @returns the package's file name
 */
export function makeDeb(assembled: string, target: string, release: Release): string {
  // Debian compares what follows a hyphen as a revision; a version with ~ comes before the one without.
  const version = release.build.replace('-', '~');
  const architecture = architectures[release.architecture] ?? release.architecture;
  using work = mkdtempDisposableSync(path.join(tmpdir(), 'tertulia-deb-'));
  const folder = (name: string) => {
    mkdirSync(path.join(work.path, name), { recursive: true });
    return (file: string) => path.join(work.path, name, file);
  };

  const releases = folder('opt/tertulia/releases');
  // `rename` fails between file systems: both folders are temporary ones.
  renameSync(assembled, releases(release.name));
  symlinkSync(`releases/${release.name}`, folder('opt/tertulia')('current'));
  symlinkSync('/opt/tertulia/current/bin/tertulia', folder('usr/bin')('tertulia'));
  const deploy = (file: string) => path.join(releases(release.name), 'deploy', file);
  for (const unit of ['tertulia.service', 'tertulia@.service'])
    cpSync(deploy(unit), folder('usr/lib/systemd/system')(unit));
  cpSync(deploy('tertulia.env'), folder('etc/tertulia')('tertulia.env'));

  const control = folder('DEBIAN');
  const fields = readFileSync(path.join(import.meta.dirname, 'control'), 'utf8');
  writeFileSync(
    control('control'),
    fields.replace('VERSION', version).replace('ARCHITECTURE', architecture),
  );
  writeFileSync(control('conffiles'), '/etc/tertulia/tertulia.env\n');
  const scripts = ['postinst', 'prerm', 'postrm'];
  for (const script of scripts) cpSync(path.join(import.meta.dirname, script), control(script));
  // As the archive's modes, whatever the umask.
  execFileSync('chmod', ['-R', 'u=rwX,go=rX', work.path]);
  for (const script of scripts) chmodSync(control(script), 0o755);
  // Passwords are written into this file.
  chmodSync(path.join(work.path, 'etc/tertulia/tertulia.env'), 0o640);

  const name = `tertulia_${version}_${architecture}.deb`;
  // gzip, since xz takes minutes for a third less.
  const options = ['--root-owner-group', '-Zgzip', '-z9', '--build', work.path];
  execFileSync('dpkg-deb', [...options, path.join(target, name)], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, SOURCE_DATE_EPOCH: String(release.committedAtS) },
  });
  return name;
}
