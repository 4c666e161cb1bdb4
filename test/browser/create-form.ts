import { expect, type Locator, type Page } from '@playwright/test';
import { pageRoutes } from '../../src/shared/routes.ts';

/** Opens the form for a channel, and waits until its button is enabled. */
export async function openCreate(page: Page): Promise<void> {
  await page.goto(pageRoutes.create);
  await expect(createButton(page)).toBeEnabled();
}

export function titleField(page: Page): Locator {
  return page.getByRole('textbox', { name: 'Título', exact: true });
}

export function descriptionField(page: Page): Locator {
  return page.getByRole('textbox', { name: 'Descripción', exact: true });
}

export function altField(page: Page): Locator {
  return page.getByLabel('¿Qué se ve en la portada?');
}

export function coverField(page: Page): Locator {
  return page.getByLabel('Imagen de portada');
}

/** Shown once the cover is uploaded. */
export function uploadedMark(page: Page): Locator {
  return page.getByRole('img', { name: 'Portada subida' });
}

export function createButton(page: Page): Locator {
  return page.getByRole('button', { name: 'Crear Canal' });
}
