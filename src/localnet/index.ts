export { startLocalnet } from './start-localnet.ts';
export type { Gift, Holder } from './gift.ts';
export type { Localnet, LocalnetUrls } from './localnet.ts';
export type { LocalnetOptions } from './options.ts';
export type { Built } from './send.ts';
export type { LocalnetSnapshot } from './snapshot.ts';
export type { LocalnetWallet } from './wallet.ts';
