/** The color theme. */
export type Theme = 'system' | 'light' | 'dark';

const NEXT: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };

/** Labels for the theme button. */
export const THEME_WORDS: Readonly<Record<Theme, string>> = {
  system: 'same as the system',
  light: 'light',
  dark: 'dark',
};

/** Storage key of the theme. */
const PLACE = 'spl-private-payments.theme';

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem'>;

export const themeAfter = (theme: Theme): Theme => NEXT[theme];

/** The theme that the user chose last; `system` by default. */
export function storedTheme(storage: Storage): Theme {
  const stored = storage.getItem(PLACE);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

/** Applies and stores a theme. */
export function setTheme(theme: Theme, root: HTMLElement, storage: Storage): void {
  if (theme === 'system') delete root.dataset['theme'];
  else root.dataset['theme'] = theme;
  storage.setItem(PLACE, theme);
}
