import { openPrivateScene, type PrivateLayout, type PrivateScene } from './private-scene.ts';
import { serveReaders, type ReaderServer } from './reader-server.ts';

/** The callers: a stranger without a token, a stranger with his own token, and the owner. */
export const EVERYBODY = ['nobody', 'sam', 'alice'] as const;
export type Who = (typeof EVERYBODY)[number];

/** A private rollup behind its real servers. */
export interface PrivateNode extends PrivateScene, Omit<ReaderServer<'sam' | 'alice'>, 'close'> {
  readonly layout: PrivateLayout;
  /** Advances time by `count` slots. */
  passSlots(count: number): Promise<void>;
}

export async function startPrivateNode(layout: PrivateLayout): Promise<PrivateNode> {
  const scene = await openPrivateScene(layout);
  const { rollup, sam, alice } = scene;
  const server = await serveReaders(scene, { sam: sam.wallet, alice: alice.wallet });
  return {
    ...scene,
    ...server,
    layout,
    async passSlots(count) {
      await scene.pass(count * rollup.slotMs);
      server.timer.pass(rollup.slotMs);
    },
    async close() {
      await server.close();
      await scene.close();
    },
  };
}
