/**
 * A pattern that is made when it is first used. To read one that names classes of characters takes a good part of a
 * millisecond, and there are many: as literals they would be most of what importing this folder costs.
 */
export function pattern(source: string, flags: string): () => RegExp {
  let made: RegExp | undefined;
  return () => {
    made ??= new RegExp(source, flags);
    return made;
  };
}
