// What a name is made of, for names that say what is meant by one of their words.

/**
 * The words of a name: "door_creak", "doorCreak" and "Door creak 2" are door and creak.
 * @param {string} name
 */
export const words = (name) => name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase().split(/[^a-z]+/);

/**
 * What of a table words mean, in their order, by others that mean the same.
 * @template T
 * @param {string[]} list
 * @param {Record<string, T>} table
 * @param {Record<string, string>} alike
 * @returns {T | undefined} of the first that means something
 */
export function meant(list, table, alike) {
  for (const word of list) {
    let known = word;
    while (Object.hasOwn(alike, known)) known = alike[known];
    if (Object.hasOwn(table, known)) return table[known];
  }
  return undefined;
}
