/** Ports and folders of a one-node Swift. */
export interface SwiftLayout {
  /** Folder of settings and rings. */
  settings: string;
  /** Folder of the objects. */
  devices: string;
  user: string;
  ports: { proxy: number; account: number; container: number; object: number; cache: number };
}

export const storageServices = ['account', 'container', 'object'] as const;
export const credentials = { key: 'test:tester', secret: 'testing' };

/** The settings files of all services, by file name. */
export function swiftFiles(layout: SwiftLayout): Map<string, string> {
  const files = new Map([
    [
      'swift.conf',
      ini({
        'swift-hash': { swift_hash_path_prefix: 'tertulia', swift_hash_path_suffix: 'pruebas' },
        'storage-policy:0': { name: 'one-copy', default: 'yes' },
      }),
    ],
    ['proxy.conf', proxyFile(layout)],
  ]);
  for (const service of storageServices) files.set(`${service}.conf`, storageFile(layout, service));
  return files;
}

function common({ settings, user }: SwiftLayout, port: number) {
  return {
    swift_dir: settings,
    bind_ip: '127.0.0.1',
    bind_port: port,
    // No workers: the started process serves by itself, so that killing it is enough.
    workers: 0,
    user,
    log_level: 'WARNING',
  };
}

function storageFile(layout: SwiftLayout, service: (typeof storageServices)[number]): string {
  return ini({
    DEFAULT: {
      ...common(layout, layout.ports[service]),
      devices: layout.devices,
      // The device is a folder, not a mounted disk.
      mount_check: 'false',
      fallocate_reserve: 0,
      disable_fallocate: 'true',
    },
    'pipeline:main': { pipeline: `${service}-server` },
    [`app:${service}-server`]: { use: `egg:swift#${service}` },
  });
}

function proxyFile(layout: SwiftLayout): string {
  const [account, user] = credentials.key.split(':');
  return ini({
    DEFAULT: common(layout, layout.ports.proxy),
    'pipeline:main': {
      pipeline: 'catch_errors cache listing_formats s3api tempauth copy slo dlo proxy-server',
    },
    'app:proxy-server': {
      use: 'egg:swift#proxy',
      account_autocreate: 'true',
      allow_account_management: 'true',
    },
    'filter:catch_errors': { use: 'egg:swift#catch_errors' },
    'filter:cache': {
      use: 'egg:swift#memcache',
      memcache_servers: `127.0.0.1:${layout.ports.cache}`,
    },
    'filter:listing_formats': { use: 'egg:swift#listing_formats' },
    'filter:s3api': { use: 'egg:swift#s3api', location: 'us-east-1' },
    'filter:tempauth': {
      use: 'egg:swift#tempauth',
      [`user_${account}_${user}`]: `${credentials.secret} .admin`,
    },
    'filter:copy': { use: 'egg:swift#copy' },
    'filter:slo': { use: 'egg:swift#slo' },
    'filter:dlo': { use: 'egg:swift#dlo' },
  });
}

function ini(sections: Record<string, Record<string, string | number>>): string {
  return Object.entries(sections)
    .map(([section, values]) => {
      const lines = Object.entries(values).map(([name, value]) => `${name} = ${value}\n`);
      return `[${section}]\n${lines.join('')}`;
    })
    .join('\n');
}
