/**
 * The script of the thread that runs the models: inference blocks the thread that asks for it. It stands here as text
 * because the product is bundled into few files, and needs nothing but the runtime, which it loads by its path.
 *
 * It takes { id, space, tokens, lengths } (rows of token numbers, padded to the longest) and answers { id, vectors }
 * (rows of unit length) or { id, problem }.
 */
export const INFERENCE_THREAD = `
const { parentPort, workerData } = require('node:worker_threads');
const { join } = require('node:path');
const { runtime, models, threads } = workerData;
const sessions = new Map();

function sessionOf(space) {
  let session = sessions.get(space);
  if (!session) {
    const { InferenceSession } = require(runtime);
    session = InferenceSession.create(models[space].file, {
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      enableCpuMemArena: false,
      extra: { session: { intra_op: { allow_spinning: '0' } } },
    });
    session.catch(() => sessions.delete(space));
    sessions.set(space, session);
  }
  return session;
}

async function infer({ space, tokens, lengths }) {
  const session = await sessionOf(space);
  const { Tensor } = require(runtime);
  const rows = lengths.length;
  const width = tokens.length / rows;
  const mask = new BigInt64Array(tokens.length);
  lengths.forEach((length, row) => mask.fill(1n, row * width, row * width + length));
  const tensor = (data) => new Tensor('int64', data, [rows, width]);
  const output = await session.run({
    input_ids: tensor(BigInt64Array.from(tokens, BigInt)),
    attention_mask: tensor(mask),
    token_type_ids: tensor(new BigInt64Array(tokens.length)),
  }, ['last_hidden_state']);
  const hidden = output.last_hidden_state.data;
  const { dimensions, pooling } = models[space];
  const vectors = new Float32Array(rows * dimensions);
  for (let row = 0; row < rows; row++) {
    const count = pooling === 'mean' ? lengths[row] : 1;
    const vector = vectors.subarray(row * dimensions, (row + 1) * dimensions);
    for (let token = 0; token < count; token++) {
      const from = (row * width + token) * dimensions;
      for (let at = 0; at < dimensions; at++) vector[at] += hidden[from + at];
    }
    const norm = Math.hypot(...vector) || 1;
    for (let at = 0; at < dimensions; at++) vector[at] /= norm;
  }
  return vectors;
}

parentPort.on('message', (request) => {
  infer(request).then(
    (vectors) => parentPort.postMessage({ id: request.id, vectors }, [vectors.buffer]),
    (error) => parentPort.postMessage({ id: request.id, problem: String(error && error.message || error) }),
  );
});
`;
