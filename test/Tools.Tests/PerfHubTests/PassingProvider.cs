using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Sessions;
using PerfCommon.Tests.Domains;

namespace Tools.Tests.PerfHubTests;

/// <summary>A source with items of any domain: records the requests, and sends what the test wants.</summary>
/// <param name="domains">The domains that its service announces.</param>
internal sealed class PassingProvider(params DomainType[] domains) : ServerSession(LoginOffer.OfThisProcess())
{
    public const string Service = "PASSED";

    /// <summary>Its id of the service, which the hub keeps.</summary>
    public const ushort ServiceId = 7;

    private readonly DirectoryProvider _directory = new(Offer(domains));

    /// <summary>What came for items, in order.</summary>
    public List<byte[]> Received { get; } = [];

    /// <summary>What of it is of a class.</summary>
    public IEnumerable<byte[]> Of(MsgClass msgClass) => Received.Where(message => Wire.Decode(message).MsgClass == msgClass);

    public int Count(MsgClass msgClass) => Of(msgClass).Count();

    /// <summary>The stream of a request.</summary>
    public int StreamOf(int request) => Wire.Decode(Of(MsgClass.Request).ElementAt(request)).StreamId;

    public void Say(byte[] message)
    {
        Replies.Send(message);
        Channel.Flush();
    }

    /// <summary>A service with these capabilities and nothing else that is not required.</summary>
    public static ServiceOffer Offer(params DomainType[] domains) => new()
    {
        Name = Service,
        Id = ServiceId,
        InfoElements = Wire.Elements((ref RwfWriter writer) =>
        {
            writer.WriteAsciiElement("Name"u8, "PASSED"u8);
            writer.BeginElement("Capabilities"u8, DataType.Array);
            writer.BeginArray(DataType.UInt);
            foreach (DomainType domain in domains)
                writer.WriteItem([(byte)domain]);
            writer.EndArray();
            writer.EndEntry();
        }),
    };

    internal override void OnContinue()
    {
        if (!IsOpen)
            return;
        TrySendReplies();
        Output.EndBurst();
    }

    private protected override void OnLoggedIn()
    {
    }

    private protected override void OnLoginClosed()
    {
    }

    private protected override void HandleOffStreamPost(scoped in RwfMsg post) => Received.Add(post.Message.ToArray());

    private protected override void HandleItem(scoped in RwfMsg msg, ReadOnlySpan<byte> message) => Received.Add(message.ToArray());

    private protected override DictionaryProvider DictionaryOf(scoped in MsgKey key) => new(FieldDictionary.Default);

    private protected override void HandleDirectory(scoped in RwfMsg msg)
    {
        ConversationResult result = _directory.Receive(msg);
        if (result.Step == ConversationStep.Send)
            Reply(_directory.EncodeRefresh(Scratch));
        Conclude(result);
    }
}
