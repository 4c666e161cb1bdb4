import { type Html, html } from './html.ts';

export interface Part {
  text: string;
  html: Html;
}

export const paragraph = (text: string): Part => ({ text, html: html`<p>${text}</p>` });

export const smallPrint = (text: string): Part => ({
  text,
  html: html`<p class="small">${text}</p>`,
});

export const button = (label: string, link: string): Part => ({
  text: `${label}:\n${link}`,
  html: html`<p><a class="button" href="${link}">${label}</a></p>`,
});
