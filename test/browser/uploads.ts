import { expect, type Page, type Request } from '@playwright/test';
import { apiRoutes } from '../../src/shared/api-routes.ts';
import { coverField } from './create-form.ts';
import { photo } from './images.ts';

/** Collects the requests that upload an image from now on. */
export function watchUploads(page: Page): Request[] {
  const requests: Request[] = [];
  page.on('request', (request) => {
    const isUpload = new URL(request.url()).pathname.startsWith(apiRoutes.uploads);
    if (isUpload && ['POST', 'PATCH'].includes(request.method())) requests.push(request);
  });
  return requests;
}

/** The length that the first upload announced. */
export function bytesOf(requests: Request[]): number {
  return Number(requests.find((one) => one.method() === 'POST')?.headers()['upload-length']);
}

/** Emulates a slow network. */
export async function networkOf(page: Page) {
  const session = await page.context().newCDPSession(page);
  const emulate = (uploadThroughput: number) =>
    session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    });
  return {
    // At 20 kB per second a photo takes about fifteen seconds. At a higher speed, the upload could end before a busy
    // machine acts.
    slowDown: () => emulate(20_000),
    restore: () => emulate(-1),
  };
}

type Network = Awaited<ReturnType<typeof networkOf>>;

/** Chooses a photo and waits until part of it has reached the server. */
export async function uploadPart(page: Page, network: Network): Promise<void> {
  await network.slowDown();
  await coverField(page).setInputFiles(await photo());
  await expect(page.getByText(/ de .*\s·\s[1-9][0-9]\s%/)).toBeVisible();
}
