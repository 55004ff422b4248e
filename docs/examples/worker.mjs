// A sum of records in [0, 1] with Gaussian noise, 1-GDP. The argument is the scale of the noise.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const scale = Number(process.argv[2] ?? 1);

function generator(seed) { // uniforms in (0, 1), by SplitMix64
  let state = BigInt(seed);
  return () => {
    let z = (state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n));
    z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
    z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
    return (Number((z ^ (z >> 31n)) >> 11n) + 0.5) / 2 ** 53;
  };
}

for await (const line of createInterface({ input: process.stdin })) {
  const [, seed, data] = line.match(/"seed": (\d+), "data": "([^"]+)"/); // JSON.parse would round a 63-bit seed
  const records = readFileSync(data, "utf8").trim().split("\n").map(Number);
  const sum = records.reduce((total, record) => total + Math.min(Math.max(record, 0), 1), 0);
  const uniform = generator(seed);
  const normal = Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  console.log(JSON.stringify(sum + scale * normal));
}
