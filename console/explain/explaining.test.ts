import { describe, expect, it } from 'vitest';
import type { Explained } from './explain-input.ts';
import { Explaining } from './explaining.ts';

/** An answer that comes when it is given. */
function question() {
  const explained = { transactionBase64: 'private' } as Explained;
  let settle = { answer: () => {}, refuse: (why: Error): void => void why };
  const answer = new Promise<Explained>((resolve, reject) => {
    settle = { answer: () => resolve(explained), refuse: reject };
  });
  return { ...settle, explained, ask: () => answer };
}

const [OWNER, ANYBODY] = ['owner Alice', 'anyone '];

describe('the answer of the explain view', () => {
  it('to the owner is not shown to anyone, even if it arrives after the owner left', async () => {
    const [view, late] = [new Explaining(), question()];
    const asked = view.ask(OWNER, late.ask);
    expect([view.shownTo(OWNER).kind, view.shownTo(ANYBODY).kind]).toEqual(['asking', 'nothing']);
    view.forget();
    late.answer();
    await asked;
    expect([view.shownTo(OWNER), view.shownTo(ANYBODY)]).toEqual([{ kind: 'nothing' }, { kind: 'nothing' }]);
  });

  it('is removed before the next reader looks', async () => {
    const [view, one] = [new Explaining(), question()];
    one.answer();
    await view.ask(OWNER, one.ask);
    expect(view.shownTo(OWNER)).toEqual({ kind: 'explained', explained: one.explained });
    expect(view.shownTo(ANYBODY)).toEqual({ kind: 'nothing' });
  });

  it('belongs to the last question, in whatever order answers arrive', async () => {
    const [view, former, last] = [new Explaining(), question(), question()];
    const asked = [view.ask(OWNER, former.ask), view.ask(OWNER, last.ask)];
    last.answer();
    await asked[1];
    former.refuse(new Error('too late'));
    await asked[0];
    expect(view.shownTo(OWNER)).toEqual({ kind: 'explained', explained: last.explained });
  });

  it('explains why it is missing', async () => {
    const [view, one] = [new Explaining(), question()];
    one.refuse(new Error('No ledger tells of it.'));
    await view.ask(ANYBODY, one.ask);
    expect(view.shownTo(ANYBODY)).toEqual({ kind: 'failed', message: 'No ledger tells of it.', code: null });
  });
});
