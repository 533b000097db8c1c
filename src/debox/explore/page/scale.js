// Colours and the scale of POIS, those of the figures: src/debox/figures/draw/style.py, analysis/scale.py.

// viridis in 256 steps, six hexadecimal digits each: perceptually uniform, safe for the colour-blind, works in grey.
const VIRIDIS =
  "44015444025645045745055946075a46085c460a5d460b5e470d60470e6147106347116447136548146748166848176948186a481a6c" +
  "481b6d481c6e481d6f481f70482071482173482374482475482576482677482878482979472a7a472c7a472d7b472e7c472f7d46307e" +
  "46327e46337f463480453581453781453882443983443a83443b84433d84433e85423f85424086424186414287414487404588404688" +
  "3f47883f48893e49893e4a893e4c8a3d4d8a3d4e8a3c4f8a3c508b3b518b3b528b3a538b3a548c39558c39568c38588c38598c375a8c" +
  "375b8d365c8d365d8d355e8d355f8d34608d34618d33628d33638d32648e32658e31668e31678e31688e30698e306a8e2f6b8e2f6c8e" +
  "2e6d8e2e6e8e2e6f8e2d708e2d718e2c718e2c728e2c738e2b748e2b758e2a768e2a778e2a788e29798e297a8e297b8e287c8e287d8e" +
  "277e8e277f8e27808e26818e26828e26828e25838e25848e25858e24868e24878e23888e23898e238a8d228b8d228c8d228d8d218e8d" +
  "218f8d21908d21918c20928c20928c20938c1f948c1f958b1f968b1f978b1f988b1f998a1f9a8a1e9b8a1e9c891e9d891f9e891f9f88" +
  "1fa0881fa1881fa1871fa28720a38620a48621a58521a68522a78522a88423a98324aa8325ab8225ac8226ad8127ad8128ae8029af7f" +
  "2ab07f2cb17e2db27d2eb37c2fb47c31b57b32b67a34b67935b77937b87838b9773aba763bbb753dbc743fbc7340bd7242be7144bf70" +
  "46c06f48c16e4ac16d4cc26c4ec36b50c46a52c56954c56856c66758c7655ac8645cc8635ec96260ca6063cb5f65cb5e67cc5c69cd5b" +
  "6ccd5a6ece5870cf5773d05675d05477d1537ad1517cd2507fd34e81d34d84d44b86d54989d5488bd6468ed64590d74393d74195d840" +
  "98d83e9bd93c9dd93ba0da39a2da37a5db36a8db34aadc32addc30b0dd2fb2dd2db5de2bb8de29bade28bddf26c0df25c2df23c5e021" +
  "c8e020cae11fcde11dd0e11cd2e21bd5e21ad8e219dae319dde318dfe318e2e418e5e419e7e419eae51aece51befe51cf1e51df4e61e" +
  "f6e620f8e621fbe723fde725";

const SCALE_ENDS = 3; // where POIS 1 lies on the scale; 0 lies at -3
export const SCALE_TICKS = [0, 0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999, 1];
export const CLASS_COLOURS = { teal: "#63acbe", orange: "#ee442f", violet: "#601a2f" };

/** log10((p + e)/(1 - p + e))/2 + 2p - 1, e about 10^-4: half a step per decade near 0 and 1, and a wide middle */
export function logitLike(p) {
  const epsilon = 1 / (10 ** 4 - 1);
  return Math.log10((p + epsilon) / (1 - p + epsilon)) / 2 + 2 * p - 1;
}

/** Where POIS lies on the scale, from 0 to 1 */
export function onScale(p) {
  return (logitLike(p) / SCALE_ENDS + 1) / 2;
}

/** The colour at a place from 0 to 1 on the scale */
export function colourAt(place) {
  const k = Math.min(255, Math.max(0, Math.floor(place * 256)));
  return `#${VIRIDIS.slice(6 * k, 6 * k + 6)}`;
}

/** The colour of a median POIS; none if there are no runs */
export function colourOf(pois) {
  return Number.isNaN(pois) ? null : colourAt(onScale(pois));
}

/** White for marks on a dark colour, black on a light one */
export function inkOn(colour) {
  const [red, green, blue] = [1, 3, 5].map((k) => parseInt(colour.slice(k, k + 2), 16));
  return 0.299 * red + 0.587 * green + 0.114 * blue < 127.5 ? "#ffffff" : "#000000";
}
