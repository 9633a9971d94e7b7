using PerfCommon.Codec;
using PerfCommon.Domains;
using Xunit;

namespace PerfCommon.Tests.Domains;

/// <summary>The payload of a request that lists the requested fields.</summary>
public class ViewRequestTests
{
    private const string Recorded =
        "0012010600000005840405800703010452445431080002093A5669657754797065040101093A56696577446174610FFE00080302000200160019";

    private static readonly ServiceInfo Service = new() { Id = 1, Name = "DIRECT_FEED" };

    [Fact]
    public void EncodeRequest_WithAView_IsTheVectorByteForByte() => Assert.Equal(
        Recorded,
        Convert.ToHexString(Wire.Encode(room => MarketPriceConsumer.EncodeRequest(
            room, 5, Service with { Qos = null }, "RDT1"u8, isStreaming: true, view: new FieldView(25, 22)))));

    [Fact]
    public void Read_TheVector_GivesItsFieldsAndTheStamps()
    {
        Assert.Equal((ViewChange.Set, new FieldView(22, 25, 3902, 3903, 3904)), Read(Convert.FromHexString(Recorded)));
    }

    [Theory]
    [InlineData(null, null, false)] // a request without a view removes the current one
    [InlineData(":ViewType", null, true)] // the same view continues
    [InlineData(null, ":ViewData", false)] // ids of fields are the default
    public void Read_PartsOfAView_MeanWhatTheyMean(string? type, string? data, bool keeps)
    {
        byte[] request = Wire.Encode(Request(type is not null || data is not null, list =>
        {
            if (type is not null)
                list.Add((type, 1));
            if (data is not null)
                list.Add((data, -1));
        }));
        (ViewChange change, FieldView? view) = Read(request);
        Assert.Equal(keeps ? ViewChange.None : ViewChange.Set, change);
        Assert.Equal(data is null, view is null);
    }

    [Fact]
    public void Read_NamesOfElements_IsAllFields()
    {
        byte[] request = Wire.Encode(Request(true, list =>
        {
            list.Add((":ViewType", 2));
            list.Add((":ViewData", -1));
        }));
        Assert.Equal((ViewChange.Set, null), Read(request));
    }

    [Fact]
    public void Read_CutAnywhereOrDamaged_NeverThrows()
    {
        byte[] whole = Convert.FromHexString(Recorded);
        for (int length = 0; length <= whole.Length; length++)
            Read(whole[..length]);
        for (int at = 0; at < whole.Length; at++)
        {
            byte[] damaged = [.. whole];
            damaged[at] ^= 0xFF;
            Read(damaged);
        }
    }

    private static (ViewChange Change, FieldView? View) Read(byte[] message)
    {
        if (RwfMsg.TryDecode(message, out RwfMsg msg) != DecodeResult.Success || msg.MsgClass != MsgClass.Request)
            return default;
        ViewChange change = ViewRequest.Read(new ItemRequest(msg), out FieldView? view);
        return (change, view);
    }

    private static RwfMsg Request(bool hasView, Action<List<(string Name, int Value)>> fill)
    {
        List<(string Name, int Value)> elements = [];
        fill(elements);
        RwfMsg request = new()
        {
            MsgClass = MsgClass.Request,
            DomainType = DomainType.MarketPrice,
            StreamId = 6,
            Flags = hasView ? RequestFlags.HasView : 0,
            ContainerType = DataType.ElementList,
        };
        request.Payload = Wire.Elements((ref RwfWriter writer) =>
        {
            foreach ((string name, int value) in elements)
            {
                byte[] text = System.Text.Encoding.ASCII.GetBytes(name);
                if (value >= 0)
                {
                    writer.WriteUIntElement(text, (ulong)value);
                    continue;
                }

                writer.BeginElement(text, DataType.Array);
                writer.BeginArray(DataType.Int);
                writer.WriteItem([22]);
                writer.EndArray();
                writer.EndEntry();
            }
        });
        return request;
    }
}
