import type { Locator, Page } from '@playwright/test';

export function titleField(page: Page): Locator {
  return page.getByRole('textbox', { name: 'Título', exact: true });
}

export function descriptionField(page: Page): Locator {
  return page.getByRole('textbox', { name: 'Descripción', exact: true });
}

export function altField(page: Page): Locator {
  return page.getByLabel('Texto alternativo de la portada');
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
