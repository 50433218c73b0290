import { useEffect, useRef, useState } from 'preact/hooks';
import { useConsole } from '../context/console.ts';
import { copyText } from '../parts/copy.tsx';
import { keepViewpoint } from '../parts/go.tsx';
import { KeyValue } from '../parts/key-value.tsx';
import { navigate, useSearch } from '../parts/location.ts';
import type { Viewpoint } from '../parts/reader.ts';
import { Sheet } from '../parts/sheet.tsx';
import { PLACES } from './places.ts';

/** The command of a key press. */
type KeyCommand =
  | { readonly kind: 'search' }
  | { readonly kind: 'look'; readonly as: Viewpoint }
  | { readonly kind: 'go'; readonly path: string }
  | { readonly kind: 'row'; readonly by: 1 | -1 }
  | { readonly kind: 'copy' }
  | { readonly kind: 'help' };

/** The list of keys that `?` shows. */
const KEYS: readonly (readonly [keys: string, words: string])[] = [
  ['/', 'search'],
  ['1 2 3', 'look as the base ledger, anyone, the owner'],
  ['g, then p l e x b r o', 'play, life, explain, explorer, books, requests, operations'],
  ['j k', 'next row, previous row'],
  ['Enter', 'open'],
  ['Esc', 'close'],
  ['c', 'copy the focused address or signature'],
  ['[ ]', 'previous step, next step in Life'],
  ['Ctrl Enter', 'explain the transaction'],
  ['?', 'show this list'],
];

/** Commands for single keys. */
const COMMANDS: Readonly<Record<string, KeyCommand>> = {
  '/': { kind: 'search' },
  '1': { kind: 'look', as: 'base' },
  '2': { kind: 'look', as: 'anyone' },
  '3': { kind: 'look', as: 'owner' },
  j: { kind: 'row', by: 1 },
  k: { kind: 'row', by: -1 },
  c: { kind: 'copy' },
  '?': { kind: 'help' },
};

/**
 * Returns the command of a key.
 *
 * @param before the previous key if it was pressed within `CHORD_MS`.
 */
export function commandOf(key: string, before: string | null): KeyCommand | null {
  if (before !== 'g') return COMMANDS[key] ?? null;
  const place = PLACES.find((each) => each.key === key);
  return place === undefined ? null : { kind: 'go', path: place.path };
}

/** Storage key of the setting that turns single keys off (WCAG 2.1.4). */
const OFF = 'spl-private-payments.keys-off';

/** How long `g` waits for its second key, ms. */
const CHORD_MS = 1_200;

interface KeysProps {
  readonly onSearch: () => void;
  readonly onLook: (as: Viewpoint) => void;
}

/** Handles single keys outside input fields and shows the list of keys. */
export function Keys({ onSearch, onLook }: KeysProps) {
  const console = useConsole();
  const search = useSearch();
  const [isOpen, open] = useState(false);
  const [isOff, turnOff] = useState(() => localStorage.getItem(OFF) !== null);
  const before = useRef<{ readonly key: string; readonly atMs: number } | null>(null);
  useEffect(() => {
    const obey = (command: KeyCommand): void => {
      switch (command.kind) {
        case 'search':
          return onSearch();
        case 'look':
          return command.as === 'owner' && console.owners.peek().length === 0
            ? undefined
            : onLook(command.as);
        case 'go':
          return navigate(keepViewpoint(command.path, search));
        case 'row':
          return moveRow(command.by);
        case 'copy':
          return copyFocused();
        case 'help':
          return open(true);
      }
    };
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector('dialog[open]') !== null || (isOff && event.key !== '?')) return;
      const held = before.current;
      const chord = held !== null && console.nowMs() - held.atMs < CHORD_MS ? held.key : null;
      before.current = { key: event.key, atMs: console.nowMs() };
      const command = commandOf(event.key, chord);
      if (command === null) return;
      event.preventDefault();
      before.current = null;
      obey(command);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  });
  if (!isOpen) return null;
  return (
    <Sheet title="Keys" onClose={() => open(false)}>
      <KeyValue rows={KEYS.map(([keys, words]) => [keys, words] as const)} />
      <label class="row small">
        <input
          type="checkbox"
          checked={!isOff}
          onChange={({ currentTarget }) => {
            if (currentTarget.checked) localStorage.removeItem(OFF);
            else localStorage.setItem(OFF, '1');
            turnOff(!currentTarget.checked);
          }}
        />
        Single keys are on
      </label>
    </Sheet>
  );
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
  !(target instanceof HTMLInputElement && /^(radio|checkbox)$/.test(target.type));

/** Focuses the next or previous row. */
function moveRow(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main .list li a, main tr[data-row]')];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  rows[at < 0 ? 0 : Math.min(Math.max(at + by, 0), rows.length - 1)]?.focus();
}

/** Copies the address or signature in the focused element. */
function copyFocused(): void {
  const focused = document.activeElement;
  const holder = focused?.closest('[data-copy]') ?? focused?.querySelector('[data-copy]');
  const text = holder?.getAttribute('data-copy');
  if (text !== null && text !== undefined) void copyText(text, text.length > 44 ? 'Signature' : 'Address');
}
