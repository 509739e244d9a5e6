/** A game in a link: its record, compressed, in the fragment of an address. */

const KEY = "record";
const MOST = 1_000_000;

/** The longest fragment that mail programs and browsers leave whole. */
const LONGEST = 8000;

/** The fragment for a record, with its #; null if it would be too long for a link. */
export async function pack(text) {
  const bytes = await drained(new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw")), MOST);
  const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  const fragment = `#${KEY}=${letters.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
  return fragment.length > LONGEST ? null : fragment;
}

/** The packed record in a text, such as an address or a whole mail; null without one. */
export function packedIn(text) {
  return new RegExp(`#${KEY}=([\\w-]{8,${LONGEST}})(?![\\w-])`).exec(text)?.[1] ?? null;
}

/** The record that `packedIn` found; null if it is none, or too large. */
export async function unpack(packed) {
  try {
    const letters = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await drained(stream, MOST));
    return text.startsWith("(") ? text : null;
  } catch {
    return null;
  }
}

/** All bytes of a stream; throws as soon as there are more than `most`. */
async function drained(stream, most) {
  const parts = [];
  let size = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) {
      reader.cancel().catch(() => {});
      throw new RangeError("too large");
    }
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
