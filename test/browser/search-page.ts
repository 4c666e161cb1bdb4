import type { Page } from '@playwright/test';

export const field = (page: Page) => page.getByRole('search').getByRole('searchbox');

export const hits = (page: Page) =>
  page.getByRole('region', { name: 'Comentarios' }).locator('ol > li');

/** The text that screen readers announce about the results. */
export const announced = (page: Page) => page.getByRole('main').getByRole('status');
