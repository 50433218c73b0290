import { Connection, Keypair, type PublicKey } from '@solana/web3.js';
import { closeConnection } from '../../../src/rpc/pubsub/testing/close-connection.ts';
import { startClientNode, type ClientNode } from '../client-node.ts';

/** Initial lamports of wallets, for all rent and fees. */
const FUNDS = 20_000_000_000;

/** A ledger node with a connection like a wallet's, which expects the WebSocket on the next port. */
export interface ConnectedNode {
  readonly node: ClientNode;
  readonly connection: Connection;
  /** Creates a keypair with 20 SOL and waits until the airdrop is confirmed. */
  fundedWallet(): Promise<Keypair>;
  close(): Promise<void>;
}

export async function startConnectedNode(): Promise<ConnectedNode> {
  const node = await startClientNode();
  const connection = new Connection(node.url, 'confirmed');
  return {
    node,
    connection,
    async fundedWallet() {
      const wallet = Keypair.generate();
      await airdrop(connection, wallet.publicKey);
      return wallet;
    },
    async close() {
      closeConnection(connection);
      await node.close();
    },
  };
}

async function airdrop(connection: Connection, to: PublicKey): Promise<void> {
  const latest = await connection.getLatestBlockhash();
  const signature = await connection.requestAirdrop(to, FUNDS);
  const { value } = await connection.confirmTransaction({ signature, ...latest });
  if (value.err !== null) throw new Error(`the airdrop failed: ${JSON.stringify(value.err)}`);
}
