using PerfCommon.Codec;
using PerfHub.FanOut;

namespace PerfHub.Upstream;

/// <summary>The consumer's stream on which a post was received.</summary>
/// <param name="ConsumerIndex">Number of its session thread.</param>
/// <param name="Address">The stream there.</param>
/// <param name="Slot">Slot of the item.</param>
internal readonly record struct Poster(int ConsumerIndex, StreamAddress Address, int Slot);

/// <summary>A post that was forwarded to a source and waits for its acknowledgement.</summary>
/// <param name="StreamId">The stream at the source.</param>
/// <param name="Domain">The domain of its item.</param>
/// <param name="PostId">Its post id there and at the consumer.</param>
/// <param name="SeqNum">Its sequence number, which the answer repeats; null for none.</param>
/// <param name="Poster">The stream that receives the answer.</param>
/// <param name="IsPrivate">True for a private stream, which the answer has to state.</param>
internal readonly record struct PendingPost(int StreamId, DomainType Domain, uint PostId, uint? SeqNum, Poster Poster, bool IsPrivate = false);
