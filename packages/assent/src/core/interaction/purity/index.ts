export { findSoftOffer, type SoftOffer } from "./detect.ts";
