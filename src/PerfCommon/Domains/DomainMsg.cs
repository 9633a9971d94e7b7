using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>What the messages of all domains have in common.</summary>
/// <remarks>Encoders return the bytes written; 0 when the room is too small.</remarks>
internal static class DomainMsg
{
    /// <summary>The group every stream of ours is in.</summary>
    public static ReadOnlySpan<byte> GroupId => [0, 0]; // wire/domains 1

    /// <summary>Shows a state with its text, such as <c>Closed/Suspect/NotEntitled "no such user"</c>.</summary>
    public static string Show(scoped in RwfState state)
    {
        string text = PrintableText.FromTerminated(state.Text);
        string states = $"{state.StreamState}/{state.DataState}/{state.Code}";
        return text.Length == 0 ? states : $"{states} \"{text}\"";
    }

    /// <summary>True for a refresh or status after which nothing more will come on its stream.</summary>
    public static bool EndsStream(scoped in RwfMsg msg) =>
        (msg.MsgClass == MsgClass.Refresh || (msg.MsgClass == MsgClass.Status && msg.Has(StatusFlags.HasState))) && IsFinal(msg.State);

    /// <summary>True for a state after which nothing more will come on its stream.</summary>
    public static bool IsFinal(scoped in RwfState state) =>
        state.StreamState is StreamState.Closed or StreamState.ClosedRecover or StreamState.Redirected; // wire/domains 5.4

    /// <summary>Encodes a message that is a header and nothing else.</summary>
    public static int Encode(Span<byte> room, scoped in RwfMsg header)
    {
        RwfWriter writer = new(room);
        writer.TryWriteHeader(header);
        return writer.Written;
    }

    /// <summary>Encodes a status that carries a state and nothing else; that of a private stream says so.</summary>
    public static int EncodeStatus(Span<byte> room, DomainType domain, int streamId, scoped in RwfState state, bool isPrivate = false)
    {
        RwfMsg status = new()
        {
            MsgClass = MsgClass.Status,
            DomainType = domain,
            StreamId = streamId,
            Flags = StatusFlags.HasState | (isPrivate ? StatusFlags.PrivateStream : 0), // wire/domains 12
            State = state,
        };
        return Encode(room, status);
    }
}
