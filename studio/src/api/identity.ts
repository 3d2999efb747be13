// The identity of this browser: an Ed25519 key that never leaves it. The private key is not extractable and lives in
// IndexedDB. Browsers offer none of this outside a secure context; then the Studio connects without an identity.

export interface Identity {
  id: string;
  publicKey: string;
  sign(text: string): Promise<string>;
}

/** The signed text: nine fields joined by `|`. */
export function signedText(fields: {
  deviceId: string;
  clientId: string;
  mode: string;
  role: string;
  scopes: readonly string[];
  signedAt: number;
  token: string;
  nonce: string;
}): string {
  return [
    "v2",
    fields.deviceId,
    fields.clientId,
    fields.mode,
    fields.role,
    fields.scopes.join(","),
    String(fields.signedAt),
    fields.token,
    fields.nonce,
  ].join("|");
}

export function base64url(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The identity of this browser, made on the first call; undefined where the browser has no means for it. */
export async function loadIdentity(): Promise<Identity | undefined> {
  if (!globalThis.isSecureContext || !globalThis.crypto?.subtle || !globalThis.indexedDB) return undefined;
  try {
    const keys = (await stored()) ?? (await generated());
    const raw = new Uint8Array(await crypto.subtle.exportKey("raw", keys.publicKey));
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", raw));
    return {
      id: hex(digest),
      publicKey: base64url(raw),
      async sign(text) {
        const signature = await crypto.subtle.sign(
          "Ed25519",
          keys.privateKey,
          new TextEncoder().encode(text),
        );
        return base64url(new Uint8Array(signature));
      },
    };
  } catch {
    return undefined;
  }
}

const DATABASE = "prowess-studio";
const STORE = "identity";

async function generated(): Promise<CryptoKeyPair> {
  const keys = (await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"])) as CryptoKeyPair;
  const database = await open();
  await done(database.transaction(STORE, "readwrite").objectStore(STORE).put(keys, "device"));
  return keys;
}

async function stored(): Promise<CryptoKeyPair | undefined> {
  const database = await open();
  return done(database.transaction(STORE).objectStore(STORE).get("device")) as Promise<
    CryptoKeyPair | undefined
  >;
}

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  return done(request);
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
