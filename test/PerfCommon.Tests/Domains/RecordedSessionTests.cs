using PerfCommon.Codec;
using PerfCommon.Domains;
using Xunit;

namespace PerfCommon.Tests.Domains;

/// <summary>Our conversations interpret recorded messages of the reference's programs correctly.</summary>
[Trait("Category", "Vectors")]
public sealed partial class RecordedSessionTests
{
    public static TheoryData<string> Files => new(VectorFiles.Discover("sessions").Select(path => Path.GetFileName(path)));

    [Theory(SkipTestWithoutData = true)]
    [MemberData(nameof(Files))]
    public void EveryMessage_Decodes(string file)
    {
        SessionRecording recording = Load(file);
        Assert.Equal(0, recording.Unfinished);
        foreach ((_, byte[] bytes) in recording.Messages)
            Wire.Decode(bytes);
    }

    [Theory(SkipTestWithoutData = true)]
    [MemberData(nameof(Files))]
    public void LoginRequest_Ours_MeansTheSame(string file)
    {
        byte[] recorded = First(file, fromClient: true, DomainType.Login, MsgClass.Request)!;
        LoginProvider provider = new(new LoginOffer { ApplicationName = "ProvPerf", Position = "x" });
        Assert.Equal(ConversationResult.Send, provider.Receive(Wire.Decode(recorded)));

        LoginAttributes said = provider.Consumer!;
        LoginConsumer ours = new(new LoginIdentity
        {
            UserName = said.UserName,
            ApplicationId = said.ApplicationId,
            ApplicationName = said.ApplicationName,
            Position = said.Position,
            Role = said.Role,
            SingleOpen = Wire.Decode(recorded).Key.Attrib.IndexOf("SingleOpen"u8) >= 0 ? said.SingleOpen : null,
            RoundTripLatency = said.RoundTripLatency,
        });
        byte[] encoded = Wire.Encode(ours.EncodeRequest);

        AssertSameHeader(recorded, encoded);
        LoginProvider ofOurs = new(new LoginOffer { ApplicationName = "ProvPerf", Position = "x" });
        ofOurs.Receive(Wire.Decode(encoded));
        Assert.Equal(said, ofOurs.Consumer!);
        if (Wire.Decode(recorded).Key.Attrib.IndexOf("Role"u8) >= 0) // a reactor omits the role: a consumer
            Assert.Equal(Convert.ToHexString(Wire.Decode(recorded).Key.Attrib), Convert.ToHexString(Wire.Decode(encoded).Key.Attrib));
    }

    [Theory(SkipTestWithoutData = true)]
    [MemberData(nameof(Files))]
    public void LoginAnswer_Recorded_OpensOurConsumer(string file)
    {
        byte[] request = First(file, fromClient: true, DomainType.Login, MsgClass.Request)!;
        byte[]? refresh = First(file, fromClient: false, DomainType.Login, MsgClass.Refresh);
        byte[]? status = First(file, fromClient: false, DomainType.Login, MsgClass.Status);
        LoginConsumer consumer = new(new LoginIdentity { UserName = "u", ApplicationName = "a", Position = "p" });

        Assert.Equal(refresh is null ? ConversationStep.Refused : ConversationStep.Ready,
            consumer.Receive(Wire.Decode(refresh ?? status)).Step);
        if (refresh is null)
            return;

        LoginProvider provider = new(new LoginOffer { ApplicationName = "ProvPerf", Position = "x" });
        provider.Receive(Wire.Decode(request));
        AssertSameHeader(refresh, Wire.Encode(provider.EncodeRefresh));
    }

    [Theory(SkipTestWithoutData = true)]
    [MemberData(nameof(Files))]
    public void Directory_Recorded_GivesAReadyService(string file)
    {
        SessionRecording recording = Load(file);
        string? name = recording.Messages.Select(message => ServiceNameOf(message.Bytes)).FirstOrDefault(found => found is not null);
        Assert.SkipWhen(name is null, "no service in this recording");
        DirectoryConsumer consumer = new(name);
        foreach ((bool fromClient, byte[] bytes) in recording.Messages)
        {
            RwfMsg msg = Wire.Decode(bytes);
            if (msg.DomainType != DomainType.Source || msg.MsgClass is MsgClass.Request or MsgClass.Status)
                continue;
            msg.StreamId = msg.StreamId < 0 ? StreamIds.Directory : msg.StreamId; // a non-interactive provider publishes on -1
            Assert.NotEqual(ConversationStep.Disconnect, consumer.Receive(msg).Step);
        }

        Assert.True(consumer.IsReady);
        Assert.Equal(RwfQos.RealTimeTickByTick, consumer.Service!.Qos);
    }

    [Theory(SkipTestWithoutData = true)]
    [MemberData(nameof(Files))]
    public void DirectoryAnswer_Ours_MeansTheSame(string file)
    {
        SessionRecording recording = Load(file);
        byte[]? request = First(file, fromClient: true, DomainType.Source, MsgClass.Request);
        byte[]? recorded = First(file, fromClient: false, DomainType.Source, MsgClass.Refresh);
        string? name = recorded is null ? null : ServiceNameOf(recorded);
        Assert.SkipWhen(request is null || name is null, "no directory answer with a service in this recording");
        DirectoryConsumer theirs = new(name);
        theirs.Receive(Wire.Decode(recorded));

        ServiceInfo service = theirs.Service!;
        DirectoryProvider provider =
            new(new ServiceOffer { Name = name, Id = service.Id, Vendor = service.Vendor ?? "", OpenLimit = service.OpenLimit ?? 0 });
        Assert.Equal(ConversationResult.Send, provider.Receive(Wire.Decode(request)));
        byte[] encoded = Wire.Encode(provider.EncodeRefresh);
        DirectoryConsumer ours = new(name);
        ours.Receive(Wire.Decode(encoded));

        AssertSameHeader(recorded!, encoded);
        Assert.Equal(service, ours.Service! with { Vendor = service.Vendor });
    }

    [Theory(SkipTestWithoutData = true)]
    [MemberData(nameof(Files))]
    public void DirectoryAnnouncement_Ours_MeansTheSame(string file)
    {
        byte[]? recorded = First(file, fromClient: true, DomainType.Source, MsgClass.Refresh);
        Assert.SkipWhen(recorded is null, "nothing is announced in this recording");
        ServiceOffer service = new() { Name = ServiceNameOf(recorded)!, Id = 1 };
        byte[] encoded = Wire.Encode(room => DirectoryProvider.EncodeAnnouncement(room, service));

        RwfMsg theirs = Wire.Decode(recorded);
        RwfMsg ours = Wire.Decode(encoded);
        Assert.Equal((theirs.DomainType, theirs.StreamId, theirs.Flags), (ours.DomainType, ours.StreamId, ours.Flags));
        // C adds a service id without meaning
        Assert.Equal((MsgKeyFlags.HasFilter, theirs.Key.Filter), (ours.Key.Flags, ours.Key.Filter));
        Assert.Equal((theirs.State.StreamState, theirs.State.DataState, theirs.State.Code),
            (ours.State.StreamState, ours.State.DataState, ours.State.Code));
        Assert.Equal(InfoOf(theirs, service.Name), InfoOf(ours, service.Name) with { Vendor = InfoOf(theirs, service.Name).Vendor });
    }

    [Theory(SkipTestWithoutData = true)]
    [MemberData(nameof(Files))]
    public void DirectoryRequest_Ours_IsAmongThoseSeen(string file)
    {
        byte[]? recorded = First(file, fromClient: true, DomainType.Source, MsgClass.Request);
        Assert.SkipWhen(recorded is null || Wire.Decode(recorded).Key.Filter != DirectoryFilter.OfConsumers
            || Wire.Decode(recorded).Key.Has(MsgKeyFlags.HasServiceId), "asked in another way");

        Assert.Equal(Convert.ToHexString(recorded), Convert.ToHexString(Wire.Encode(DirectoryConsumer.EncodeRequest)));
    }

    private static ServiceInfo InfoOf(scoped in RwfMsg announcement, string name)
    {
        RwfMsg refresh = announcement;
        refresh.StreamId = StreamIds.Directory;
        DirectoryConsumer consumer = new(name);
        Assert.Equal(ConversationStep.Ready, consumer.Receive(refresh).Step);
        return consumer.Service!;
    }

    // All members except texts, key attributes and payload.
    private static void AssertSameHeader(byte[] expected, byte[] actual)
    {
        RwfMsg theirs = Wire.Decode(expected);
        RwfMsg ours = Wire.Decode(actual);
        Assert.Equal((theirs.MsgClass, theirs.DomainType, theirs.StreamId, theirs.Flags),
            (ours.MsgClass, ours.DomainType, ours.StreamId, ours.Flags));
        Assert.Equal(theirs.ContainerType, ours.ContainerType);
        Assert.Equal((theirs.State.StreamState, theirs.State.DataState, theirs.State.Code),
            (ours.State.StreamState, ours.State.DataState, ours.State.Code));
        Assert.Equal((KeyFlagsOf(theirs), theirs.Key.ServiceId, NameTypeOf(theirs), theirs.Key.Filter),
            (KeyFlagsOf(ours), ours.Key.ServiceId, NameTypeOf(ours), ours.Key.Filter));
        Assert.Equal(Convert.ToHexString(theirs.Key.Name), Convert.ToHexString(ours.Key.Name));
        Assert.Equal(theirs.Qos, ours.Qos);
        Assert.Equal(Convert.ToHexString(theirs.GroupId), Convert.ToHexString(ours.GroupId));
    }

    // An absent name type means 1; a login may include it or not (domains.md 2.1).
    private static byte NameTypeOf(scoped in RwfMsg msg) => msg.Key.Has(MsgKeyFlags.HasNameType) ? msg.Key.NameType : (byte)1;

    private static int KeyFlagsOf(scoped in RwfMsg msg) =>
        msg.DomainType == DomainType.Login ? msg.Key.Flags & ~MsgKeyFlags.HasNameType : msg.Key.Flags;

    private static string? ServiceNameOf(byte[] bytes)
    {
        RwfMsg msg = Wire.Decode(bytes);
        if (msg.DomainType != DomainType.Source || msg.MsgClass != MsgClass.Refresh
            || MapReader.TryOpen(msg.Payload, out MapReader map) != DecodeResult.Success
            || map.TryReadNext(out MapEntry entry) != DecodeResult.Success)
        {
            return null;
        }

        FilterListReader.TryOpen(entry.Content, out FilterListReader filters);
        while (filters.TryReadNext(out FilterEntry filter) == DecodeResult.Success)
        {
            ElementListReader.TryOpen(filter.Content, out ElementListReader elements);
            while (elements.TryReadNext(out ElementEntry element) == DecodeResult.Success)
            {
                if (element.Name.SequenceEqual("Name"u8))
                    return System.Text.Encoding.ASCII.GetString(element.Content);
            }
        }

        return null;
    }

    private static byte[]? First(string file, bool fromClient, DomainType domain, MsgClass msgClass) => Load(file).Messages
        .FirstOrDefault(message => message.FromClient == fromClient && Is(message.Bytes, domain, msgClass)).Bytes;

    private static bool Is(byte[] bytes, DomainType domain, MsgClass msgClass)
    {
        RwfMsg msg = Wire.Decode(bytes);
        return msg.DomainType == domain && msg.MsgClass == msgClass;
    }

    private static SessionRecording Load(string file) => SessionRecording.Load(Path.Combine(VectorFiles.Folder("sessions")!, file));
}
