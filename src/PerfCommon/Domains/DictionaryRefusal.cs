using System.Globalization;
using System.Text;
using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>The answer to a request for a dictionary nobody has.</summary>
internal sealed class DictionaryRefusal(int streamId) : DictionaryAnswer(streamId)
{
    public override int EncodeNext(Span<byte> room)
    {
        if (IsDone)
            return 0;
        string text = string.Create(
            CultureInfo.InvariantCulture, $"Dictionary request rejected for stream id {StreamId} - dictionary name unknown");
        RwfState state = new(StreamState.Closed, DataState.Suspect, StateCode.NotFound, Encoding.ASCII.GetBytes(text));
        int written = DomainMsg.EncodeStatus(room, DomainType.Dictionary, StreamId, state);
        IsDone = written > 0;
        return written;
    }
}
