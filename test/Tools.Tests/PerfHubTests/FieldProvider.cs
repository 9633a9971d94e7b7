using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Load;
using PerfCommon.Sessions;
using PerfCommon.Workers;
using Xunit;

namespace Tools.Tests.PerfHubTests;

/// <summary>A provider of items with the fields 22, 25, 30 and a stamp, which updates when the test wants.</summary>
internal sealed class FieldProvider : ProviderHandler
{
    public static ProviderSessionOptions Options => new()
    {
        Service = new ServiceOffer { Name = PassingProvider.Service, Id = PassingProvider.ServiceId },
        Dictionary = FieldDictionary.Default,
    };

    public int Closes { get; private set; }

    public bool IsUpdating => Session.UpdatingItems > 0;

    protected internal override int MaxRefreshBytes => 64;

    protected internal override void EncodeRefresh(int item, ref RwfWriter writer) => Write(ref writer, 22, 25, 30, StampFields.Update);

    protected internal override void OnClose(int item) => Closes++;

    /// <summary>Sends an update with these fields for the first item.</summary>
    public void Send(params short[] fields)
    {
        byte[] list = List(fields);
        byte[] update = new byte[MarketPriceHeaders.UpdateHeaderBytes + list.Length];
        default(UpdateMessage).WriteHeader(update, Session.Items.StreamIdOf(Session.UpdatingItemAt(0)), isOrderBook: false);
        list.CopyTo(update, MarketPriceHeaders.UpdateHeaderBytes);
        Assert.True(Session.Output.TrySend(update, MessageKind.Update));
        Session.Channel.Flush();
    }

    public static byte[] List(params short[] fields)
    {
        byte[] room = new byte[256];
        RwfWriter writer = new(room);
        Write(ref writer, fields);
        return room[..writer.Written];
    }

    private static void Write(ref RwfWriter writer, params short[] fields)
    {
        writer.BeginFieldList();
        foreach (short field in fields)
        {
            writer.BeginField(field);
            writer.WriteUInt((ulong)field);
        }

        writer.EndFieldList();
    }
}
